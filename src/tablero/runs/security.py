"""Certificates of one's own for a cluster: an authority, and a certificate each for scheduler, workers and clients.

Everyone shows a certificate of the authority and asks for one: who has none gets in nowhere.
"""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

from tablero.errors import BadInput, MissingExtra

ROLES = ("scheduler", "worker", "client")
_DAYS = 825


def tls_of(folder: str, role: str) -> Any:
    """Dask's security settings for one role, from the files that `make_certificates` wrote."""
    try:
        from distributed.security import Security
    except ImportError:
        raise MissingExtra("--tls", "cluster") from None
    files = files_of(folder, role)
    return Security(
        require_encryption=True,
        tls_ca_file=str(files["ca"]),
        **{f"tls_{role}_cert": str(files["cert"]), f"tls_{role}_key": str(files["key"])},
    )


def files_of(folder: str, role: str) -> dict[str, Path]:
    """The authority's certificate and the role's certificate and key; all must be there."""
    base = Path(folder)
    files = {"ca": base / "ca.pem", "cert": base / f"{role}.pem", "key": base / f"{role}-key.pem"}
    for file in files.values():
        if not file.is_file():
            raise BadInput(
                f"--tls {folder}: {file.name} is not there; 'tablero cluster certificates {folder}' makes it"
            )
    return files


def make_certificates(folder: Path, hosts: list[str]) -> list[Path]:
    """Write an authority and certificates for all roles; keys are for their owner's eyes only."""
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
    except ImportError:
        raise MissingExtra("cluster certificates", "cluster") from None
    if (folder / "ca.pem").exists():
        raise BadInput(f"{folder} has certificates already: choose another folder, or remove it first")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise BadInput(f"cannot write to {folder}: {error.strerror or error}") from None
    now = datetime.datetime.now(datetime.UTC)

    def named(name: str) -> Any:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])

    def builder(subject: str, key: Any) -> Any:
        return (
            x509.CertificateBuilder()
            .subject_name(named(subject))
            .issuer_name(named("tablero authority"))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(minutes=5))
            .not_valid_after(now + datetime.timedelta(days=_DAYS))
        )

    authority = ec.generate_private_key(ec.SECP256R1())
    ca = (
        builder("tablero authority", authority)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(authority, hashes.SHA256())
    )
    written = [_write(folder / "ca.pem", ca.public_bytes(serialization.Encoding.PEM), secret=False)]
    for role in ROLES:
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = (
            builder(f"tablero {role}", key)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([_host_name(x509, host) for host in hosts]), critical=False)
            .add_extension(
                x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]),
                critical=False,
            )
            .sign(authority, hashes.SHA256())
        )
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        written.append(
            _write(folder / f"{role}.pem", certificate.public_bytes(serialization.Encoding.PEM), secret=False)
        )
        written.append(_write(folder / f"{role}-key.pem", pem, secret=True))
    return written


def _host_name(x509: Any, host: str) -> Any:
    import ipaddress

    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _write(path: Path, data: bytes, *, secret: bool) -> Path:
    path.touch(mode=0o600 if secret else 0o644)
    path.write_bytes(data)
    return path
