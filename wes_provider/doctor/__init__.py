"""
Finds the settings of a real account: the command ``wes-doctor``.

Probes send a request each and return evidence (:mod:`~wes_provider.doctor.reading`,
:mod:`~wes_provider.doctor.writing`). Conclusions are pure: evidence in, findings out
(:mod:`~wes_provider.doctor.conclusions`). A finding is ``sure``, ``unsure`` or ``wrong``, and never a guess in
disguise.
"""
