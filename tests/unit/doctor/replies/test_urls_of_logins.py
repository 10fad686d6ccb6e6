"""
A URL leads to a browser login if the first label of its host is login, logon, signin, sso, auth,
idp, identity, accounts or adfs, alone or after a prefix and a hyphen, with nothing behind it; if a
part of its path, anywhere, is oauth, oauth2, openid-connect, authorize, saml, saml2, sso, signin,
sign-in, login, log-in or adfs, alone or with an ending (login.aspx); or if it has a parameter
client_id, redirect_uri, SAMLRequest or RelayState, also an empty one. All in any case. No login:
login2, oauth3, logins, xlogin, sign_in; in a path, auth and logon; as a host, oauth, account,
login-eu and api.login; my_client_id; state; what stands in a fragment.
"""

from __future__ import annotations

import pytest

from wes_provider.doctor.replies.hosts import leads_to_login

HOSTS = [
    "login.test",
    "logon.test",
    "signin.test",
    "sso.test",
    "auth.test",
    "idp.test",
    "identity.test",
    "accounts.test",
    "adfs.test",
    "LOGIN.test",
    "eu-west_1-login.test",
    "login:8443",
]


@pytest.mark.parametrize("host", HOSTS)
def test_a_login_is_known_by_its_host(host: str):
    assert leads_to_login(f"https://{host}/x")


PATHS = [
    "/oauth",
    "/oauth2/x",
    "/a/openid-connect/x",
    "/authorize",
    "/saml/x",
    "/saml2",
    "/sso",
    "/signin",
    "/sign-in",
    "/login.aspx",
    "/Log-In",
    "/adfs/ls",
    "/v1/a/login",
]


@pytest.mark.parametrize("path", PATHS)
def test_a_login_is_known_by_its_path(path: str):
    assert leads_to_login(f"https://api.test{path}")


QUERIES = ["client_id=1", "a=1&redirect_uri=", "SAMLRequest=x", "RelayState=x"]


@pytest.mark.parametrize("query", QUERIES)
def test_a_login_is_known_by_a_parameter(query: str):
    assert leads_to_login(f"https://api.test/x?{query}")


NO_LOGINS = [
    "https://x.eu-login.test/x",
    "https://api.test/x?code=1",
    "https://api.test/x",
    "https://api.test/",
    "https://mylogin.test/x",
    "https://logins.test/x",
    "https://api.login.test/x",
    "https://api.test/logins",
    "https://api.test/xlogin",
    "https://api.test/login2",
    "https://api.test/oauth3",
    "https://api.test/auth",
    "https://api.test/logon",
    "https://api.test/sign_in",
    "https://api.test/x#/login",
    "https://login-eu.test/x",
    "https://oauth.test/x",
    "https://account.test/x",
    "https://api.test/x?my_client_id=1",
    "https://api.test/x?state=1",
    "https://api.test/x#client_id=1",
    "/x",
    "/x?state=1",
]


@pytest.mark.parametrize("url", NO_LOGINS)
def test_a_url_leads_to_no_login_whose_first_label_path_and_parameters_are_none_of_these(url: str):
    assert not leads_to_login(url)
