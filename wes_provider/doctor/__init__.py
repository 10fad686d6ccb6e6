"""
Finds the settings of a real account: the command ``wes-doctor``.

:mod:`~wes_provider.doctor.examination` says what happens in which order. The rooms below stand in
the order in which they use each other: a room imports from those above it, and never from those
below.

- :mod:`~wes_provider.doctor.replies`: what one reply says.
- :mod:`~wes_provider.doctor.records`: what the records of coupon files say.
- :mod:`~wes_provider.doctor.reads`: how reads are sent, and what they show together.
- :mod:`~wes_provider.doctor.findings`: what a finding is, and what it advises.
- :mod:`~wes_provider.doctor.in_front`: what replies in place of the service.
- :mod:`~wes_provider.doctor.questions`: what is read next.
- :mod:`~wes_provider.doctor.writes`: what the user has the doctor change.
- :mod:`~wes_provider.doctor.conclusions`: what follows.

The command (:mod:`~wes_provider.doctor.cli`) and the printed report
(:mod:`~wes_provider.doctor.report`) are above them, as modules of this package.
"""
