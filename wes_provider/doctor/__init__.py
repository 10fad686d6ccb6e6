"""
Finds the settings of a real account: the command ``wes-doctor``.

:mod:`~wes_provider.doctor.probes` has requests and what came of them, as data;
:mod:`~wes_provider.doctor.sending` sends them, and keeps all bounds.
:mod:`~wes_provider.doctor.questions` is the table of questions, each with the next read that it
needs (:mod:`~wes_provider.doctor.key_steps`, :mod:`~wes_provider.doctor.path_steps`); a loop sends
those, and what came is :mod:`~wes_provider.doctor.evidence`.
:mod:`~wes_provider.doctor.facts` says what the evidence shows, :mod:`~wes_provider.doctor.header`
what it shows of the workspace header, :mod:`~wes_provider.doctor.changes` what changed meanwhile,
and :mod:`~wes_provider.doctor.unreached` how far a request without a response came;
:mod:`~wes_provider.doctor.conclusions` and the modules whose names end so (of the address, the
keys, the header, limits, paths and files) are tables of what follows, and
:mod:`~wes_provider.doctor.report` prints it.
:mod:`~wes_provider.doctor.writes` has what the user asks to be changed, and
:mod:`~wes_provider.doctor.upload` follows an upload.
"""
