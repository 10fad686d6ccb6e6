"""
The service's client: settings, requests, retries, limits.

One policy, two drivers. ``settings`` reads a connection; ``operations`` builds requests and judges answers;
``limits`` reads rate limits; ``policy`` says what is tried again. None of these does I/O. ``blocking`` sends
over ``requests`` and ``asynchronous`` over ``aiohttp``; import them where they are used, not when a DAG is parsed.
"""
