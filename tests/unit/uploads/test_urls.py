"""
What of a URL says which file it is. It is one file however the URL is spelled: case of scheme and
host, default port, percent-encoding, order of parameters, user information, fragment, an empty
query. And however it is signed: by S3, GCS, Azure, CloudFront, Akamai, OSS, OBS or COS, with a
token, an hmac or an expiry, or in the parameters of its path.

It is two files if anything else differs: scheme, port, case of the path, an encoded slash or
question mark, another parameter, its value, or the order of equal names. The words that Azure and
CloudFront sign with (``st``, ``Policy``) are such parameters without the signature or the key
beside them.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from wes_provider.uploads.urls import identify_url

URL = "https://h.example.com/a.csv"


class Pair(NamedTuple):
    """Two URLs."""

    first: str
    second: str


SPELLED = {
    "case of scheme and host": Pair("HTTPS://H.example.com/a.csv", URL),
    "default port of https": Pair("https://h.example.com:443/a.csv", URL),
    "default port of http": Pair("http://h.example.com:80/a.csv", "http://h.example.com/a.csv"),
    "no path": Pair("https://h.example.com", "https://h.example.com/"),
    "percent-encoding": Pair("https://h.example.com/%61.csv", URL),
    "user information": Pair("https://u:p@h.example.com/a.csv", URL),
    "fragment": Pair(f"{URL}#top", URL),
    "order of parameters": Pair(f"{URL}?a=1&b=2", f"{URL}?b=2&a=1"),
    "an empty query": Pair(f"{URL}?", URL),
}


@pytest.mark.parametrize("urls", SPELLED.values(), ids=SPELLED)
def test_a_url_is_one_file_however_it_is_spelled(urls: Pair):
    assert identify_url(urls.first) == identify_url(urls.second)


SIGNED = {
    "S3, version 4": Pair(
        f"{URL}?X-Amz-Algorithm=A&X-Amz-Date=1&X-Amz-Signature=x",
        f"{URL}?X-Amz-Algorithm=A&X-Amz-Date=2&X-Amz-Signature=y&x-amz-security-token=t",
    ),
    "S3, version 2": Pair(f"{URL}?AWSAccessKeyId=a&Signature=b&Expires=1", URL),
    "GCS, version 4": Pair(f"{URL}?X-Goog-Signature=a&X-Goog-Expires=1", URL),
    "GCS, version 2": Pair(f"{URL}?GoogleAccessId=a&Signature=b&Expires=1", URL),
    "Azure": Pair(f"{URL}?sv=1&st=2&se=3&sr=b&sp=r&sig=x", f"{URL}?sv=1&se=4&sr=b&sp=r&sig=y"),
    "CloudFront": Pair(f"{URL}?Policy=a&Signature=b&Key-Pair-Id=c", URL),
    "Akamai": Pair(f"{URL}?hdnts=exp=1~hmac=2", URL),
    "Akamai's __token__": Pair(f"{URL}?__token__=exp=1~hmac=2", URL),
    "OSS, version 1": Pair(f"{URL}?OSSAccessKeyId=a&Signature=b&Expires=1&security-token=t", URL),
    "OSS, version 4": Pair(f"{URL}?x-oss-signature=a&x-oss-expires=1", URL),
    "OBS": Pair(f"{URL}?X-Obs-Signature=a&X-Obs-Date=1", URL),
    "COS": Pair(f"{URL}?q-sign-algorithm=sha1&q-sign-time=1&x-cos-security-token=t", URL),
    "a token": Pair(f"{URL}?token=1", f"{URL}?token=2"),
    "an access token, in two spellings": Pair(f"{URL}?access_token=1", f"{URL}?access-token=2"),
    "hmac and expires": Pair(f"{URL}?hmac=1&expires=2", URL),
    "a signature in the path's parameters": Pair("https://h.example.com/a.csv;sig=x", URL),
    "a session in the path's parameters": Pair("https://h.example.com/a.csv;jsessionid=x", URL),
}


@pytest.mark.parametrize("urls", SIGNED.values(), ids=SIGNED)
def test_a_url_is_one_file_however_it_is_signed(urls: Pair):
    assert identify_url(urls.first) == identify_url(urls.second)


OTHER_FILE = {
    "another parameter": Pair(f"{URL}?id=1", f"{URL}?id=2"),
    "a parameter and none": Pair(f"{URL}?id=1", URL),
    "a parameter without a value": Pair(f"{URL}?1", f"{URL}?2"),
    "another parameter beside a signature": Pair(f"{URL}?id=1&sig=x", f"{URL}?id=2&sig=x"),
    "a version of an object": Pair(f"{URL}?versionId=1&X-Amz-Date=1", f"{URL}?versionId=2"),
    "an object's key": Pair(f"{URL}?key=a.csv&expires=1", f"{URL}?key=b.csv&expires=1"),
    "a word of Azure's without its signature": Pair(f"{URL}?st=lisbon", f"{URL}?st=porto"),
    "a word of CloudFront's without its key": Pair(f"{URL}?Policy=a", f"{URL}?Policy=b"),
    "order of equal names": Pair(f"{URL}?p=a&p=b", f"{URL}?p=b&p=a"),
    "another path parameter": Pair(f"{URL};v=1", f"{URL};v=2"),
    "a name behind a semicolon": Pair("https://h/codes;1.csv", "https://h/codes;2.csv"),
    "an encoded slash": Pair("https://h.example.com/a/b", "https://h.example.com/a%2Fb"),
    "an encoded question mark": Pair(
        "https://h.example.com/a%3Fid=1", "https://h.example.com/a?id=1"
    ),
    "escapes of Latin-1": Pair(
        "https://h.example.com/caf%E9.csv", "https://h.example.com/caf%E8.csv"
    ),
    "escapes of Shift-JIS": Pair("https://h.example.com/%8F%74", "https://h.example.com/%8F%48"),
    "escapes of Latin-1 in a parameter": Pair(f"{URL}?shop=%E9", f"{URL}?shop=%E8"),
    "scheme": Pair("http://h.example.com/a.csv", URL),
    "port": Pair("https://h.example.com:8443/a.csv", URL),
    "case of the path": Pair("https://h.example.com/A.csv", URL),
}


@pytest.mark.parametrize("urls", OTHER_FILE.values(), ids=OTHER_FILE)
def test_urls_that_differ_in_what_is_no_signature_are_two_files(urls: Pair):
    assert str(identify_url(urls.first)) != str(identify_url(urls.second))
