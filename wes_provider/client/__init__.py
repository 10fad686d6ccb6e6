"""
Requests built and responses read, without I/O; and two drivers: ``requests`` for all, ``aiohttp``
for polls.
"""
