"""
Finds the settings of a real account: the command ``wes-doctor``.

:mod:`~wes_provider.doctor.reading` is a table of questions, each with the reads that tell; a loop
sends them.
:mod:`~wes_provider.doctor.examination` sends what the user asks for, and
:mod:`~wes_provider.doctor.upload` follows an upload. What they showed is judged in
:mod:`~wes_provider.doctor.conclusions`: replies in, findings out.
"""
