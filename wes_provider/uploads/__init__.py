"""
At most one upload, whatever crashes.

The service has no idempotency key (contract section 4.1). Each part tells one story:

- :mod:`~wes_provider.uploads.identity`: which upload this is, and the name that makes its file recognisable
- :mod:`~wes_provider.uploads.request`: what is sent, checked once
- :mod:`~wes_provider.uploads.record`: what the task remembers of an upload, in Airflow's task state store
- :mod:`~wes_provider.uploads.recognition`: whether a list's files include it; ``matchers`` and ``list_reader`` ask that
- :mod:`~wes_provider.uploads.earlier`: what earlier attempts left of it; ``file_reader`` reads its status;
  ``repair``: whether a clear asks for some of it again
- :mod:`~wes_provider.uploads.rate_limiter`: when it may be sent; ``contention``: among other tasks
- :mod:`~wes_provider.uploads.attempt`: the running attempt of the task, as uploads see it
- :mod:`~wes_provider.uploads.uploader`: the upload itself; ``many``: many of them
"""
