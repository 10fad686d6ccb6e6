"""
A certificate for the loopback interface, and the CA that vouches for it, both made for one emulator.

``cryptography`` makes them, which Airflow depends on; it is imported only if an emulator is to speak TLS.
"""

from __future__ import annotations

import ipaddress
import os
import ssl
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cryptography import x509

__all__ = ["Certificates"]

_NAMES: Final = ("localhost",)
_ADDRESSES: Final = ("127.0.0.1", "::1")
_DAY: Final = timedelta(days=1)
_LIFETIME: Final = 365 * _DAY


class Certificates:
    """
    The certificates of one emulator.

    :param ca_file: where the CA's certificate is written, for callers; default: a temporary file.
    :param expired: the service's certificate has expired.
    :raises OSError: if the file cannot be written.
    """

    def __init__(self, ca_file: str | Path | None = None, *, expired: bool = False) -> None:
        from cryptography import x509
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        self._expired = expired
        ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
        ca_name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "wes-emulator CA")])
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "wes-emulator")])
        names = [*map(x509.DNSName, _NAMES), *(x509.IPAddress(ipaddress.ip_address(one)) for one in _ADDRESSES)]
        ca_identifier = x509.SubjectKeyIdentifier.from_public_key(ca_key.public_key())
        authority = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(ca_identifier)
        usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)  # certificates, lists
        ca = self._signed(
            ca_name, ca_name, ca_key, ca_key, [x509.BasicConstraints(ca=True, path_length=0), usage, ca_identifier]
        )
        leaf = self._signed(name, ca_name, key, ca_key, [x509.SubjectAlternativeName(names), authority], leaf=True)
        pem, private = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
        self._chain = leaf.public_bytes(pem) + key.private_bytes(pem, private, serialization.NoEncryption())
        self._temporary: Path | None = None
        if ca_file is None:
            handle, path = tempfile.mkstemp(prefix="wes-emulator-ca-", suffix=".pem")
            os.close(handle)
            ca_file = self._temporary = Path(path)
        self.ca_file = str(Path(ca_file).absolute())
        Path(ca_file).write_bytes(ca.public_bytes(pem))

    def _signed(
        self,
        name: x509.Name,
        issuer: x509.Name,
        key: Any,
        issuer_key: Any,
        extensions: list[Any],
        *,
        leaf: bool = False,
    ) -> x509.Certificate:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes

        now = datetime.now(timezone.utc)
        builder = x509.CertificateBuilder().subject_name(name).issuer_name(issuer).public_key(key.public_key())
        builder = builder.serial_number(x509.random_serial_number()).not_valid_before(now - 2 * _DAY)
        builder = builder.not_valid_after(now - _DAY if leaf and self._expired else now + _LIFETIME)
        for extension in extensions:
            builder = builder.add_extension(extension, isinstance(extension, x509.BasicConstraints | x509.KeyUsage))
        return builder.sign(issuer_key, hashes.SHA256())

    def server_context(self) -> ssl.SSLContext:
        """What the server speaks TLS with."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.NamedTemporaryFile(prefix="wes-emulator-", suffix=".pem") as chain:  # ssl takes files only
            chain.write(self._chain)
            chain.flush()
            context.load_cert_chain(chain.name)
        return context

    def client_context(self) -> ssl.SSLContext:
        """What callers speak TLS with that trust this emulator and all others that the machine trusts."""
        context = ssl.create_default_context()
        context.load_verify_locations(self.ca_file)
        return context

    def close(self) -> None:
        """Delete the temporary file."""
        if self._temporary is not None:
            self._temporary.unlink(missing_ok=True)
