"""
The service's client: settings, requests, retries, limits.

One policy, two clients. ``settings`` reads a connection and ``environment`` what surrounds it; ``operations`` builds
requests and judges responses, with ``listing``, ``success_body`` and ``error_body`` for what bodies hold;
``rate_limit_headers`` reads rate limits; ``retry`` decides what is sent again. None of these does I/O. ``sync_client``
sends over ``requests`` and ``async_client`` over ``aiohttp``; import them when they are used, not when a DAG is
parsed.
"""
