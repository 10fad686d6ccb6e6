"""
A certificate for the loopback interface, and the CA that vouches for it, both made for one
emulator.

``cryptography`` makes them, which Airflow depends on; it is imported only if an emulator is to
speak TLS.
"""

from __future__ import annotations

import ipaddress
import ssl
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

__all__ = ["Certificates"]


class Certificates:
    """
    The certificates of one emulator.

    :param ca_file: where the CA's certificate is written, for callers; default: a temporary file.
    :param expired: the service's certificate has expired.
    :raises OSError: if the file cannot be written.
    """

    def __init__(
        self,
        ca_file: str | Path | None = None,
        *,
        expired: bool = False,
    ) -> None:
        ca_key = ec.generate_private_key(ec.SECP256R1())
        key = ec.generate_private_key(ec.SECP256R1())
        names = [
            x509.DNSName("localhost"),
            x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
            x509.IPAddress(ipaddress.ip_address("::1")),
        ]
        identifier = x509.SubjectKeyIdentifier.from_public_key(ca_key.public_key())
        authority = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier)
        # Certificates, lists.
        usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        basic = x509.BasicConstraints(ca=True, path_length=0)
        ca = _signed("wes-emulator CA", ca_key, ca_key, [basic, usage, identifier], 365)
        days = 365
        if expired:
            days = -1
        extensions = [x509.SubjectAlternativeName(names), authority]
        leaf = _signed("wes-emulator", key, ca_key, extensions, days)
        pem = serialization.Encoding.PEM
        private_key = key.private_bytes(
            pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        self._chain = leaf.public_bytes(pem) + private_key
        self._folder = tempfile.TemporaryDirectory(prefix="wes-emulator-")
        path = Path(self._folder.name, "ca.pem")
        if ca_file is not None:
            path = Path(ca_file).absolute()
        path.write_bytes(ca.public_bytes(pem))
        self.ca_file = str(path)

    def server_context(self) -> ssl.SSLContext:
        """Return what the server speaks TLS with."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        # ssl takes files only.
        with tempfile.NamedTemporaryFile(prefix="wes-emulator-", suffix=".pem") as chain:
            chain.write(self._chain)
            chain.flush()
            context.load_cert_chain(chain.name)
        return context

    def client_context(self) -> ssl.SSLContext:
        """Return what callers use that trust this emulator and whom the machine trusts."""
        context = ssl.create_default_context()
        context.load_verify_locations(self.ca_file)
        return context

    def close(self) -> None:
        """Delete the temporary file."""
        self._folder.cleanup()


def _signed(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    ca_key: ec.EllipticCurvePrivateKey,
    extensions: list[x509.ExtensionType],
    days: int,
) -> x509.Certificate:
    """Return a certificate of the CA that is valid until a number of days from now."""
    now = datetime.now(timezone.utc)
    builder = (
        x509.CertificateBuilder()
        .subject_name(_common_name(name))
        .issuer_name(_common_name("wes-emulator CA"))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=2))
        .not_valid_after(now + timedelta(days=days))
    )
    for extension in extensions:
        critical = isinstance(extension, x509.BasicConstraints | x509.KeyUsage)
        builder = builder.add_extension(extension, critical)
    return builder.sign(ca_key, hashes.SHA256())


def _common_name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
