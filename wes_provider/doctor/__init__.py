"""
Finds the settings of a real account: the command ``wes-doctor``.

:mod:`~wes_provider.doctor.reading` is a table of questions, each with the reads that tell; a loop sends them.
:mod:`~wes_provider.doctor.writing` sends what the user asks for, and follows an upload. What both showed is judged in
:mod:`~wes_provider.doctor.conclusions` and :mod:`~wes_provider.doctor.after_writing`: replies in, findings out.
"""
