"""
The service's client: settings, requests, retries, limits.

One policy, two clients. ``settings`` reads a connection and ``environment`` what surrounds it; ``operations`` builds
requests and judges responses, with ``listing`` and ``error_body`` for what needs more than a few lines;
``rate_limit_headers`` reads rate limits; ``retry`` decides what is sent again. None of these does I/O. ``sync_client``
sends over ``requests`` and ``async_client`` over ``aiohttp``; import them when they are used, not when a DAG is
parsed.
"""
