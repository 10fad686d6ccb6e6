"""What two reads that change nothing tell about a connection."""

from __future__ import annotations

from wes_provider.client.settings import WesSettings

__all__ = ["diagnosis"]

NOT_REFUSED = (200, 400, 404, 405, 422)  # answers of a service that has let a request's credentials pass


def diagnosis(settings: WesSettings, campaign: int, data: int) -> tuple[bool, str]:
    """
    Which field of a connection is wrong.

    :param campaign: status code of a read with the campaign key: of the list of coupon files.
    :param data: status code of a read with the data key: of a segment, which the service may have no read of.
    :return: whether the connection can be used as far as that shows, and what is wrong or was not checked.
    """
    where = settings.base_url
    one_key = settings.data_api_key == settings.api_key
    for status in (campaign, data):
        if 300 <= status < 400:
            return False, f"host: {where} answered {status}, a redirect, so the service's address is another one"
        if status == 429 or status >= 500:
            return False, f"{where} was reached, but answered {status}: the keys could not be checked, try again later"
    if campaign == data == 401:
        keys = "password (the API key)" if one_key else "both password and data_api_key (the API keys)"
        return False, f"401: login (the workspace identifier), extra workspace_header or {keys}: one of them is wrong"
    if campaign == 401:
        right = "the key that segments take" if one_key else "login and data_api_key, it seems"
        return False, f"401: password is no campaign API key; {where} accepts {right}"
    if data == 401:
        wrong = "extra data_api_key is missing: password" if one_key else "extra data_api_key is wrong: it"
        return False, f"401: {wrong} is no data API key; {where} accepts login and password"
    if campaign == 403:
        return False, "403: login and password are accepted, but the account has no access to coupon management"
    unchecked = []
    if campaign == 404:
        unchecked.append(
            "whether the path of the coupon files is right, since 404 is the answer for an unknown list as well as for "
            "an unknown path; see data_center, the path of host, and extra paths"
        )
    elif campaign != 200:
        unchecked.append(f"the path of the coupon files, which answered {campaign}; see extra paths")
    if data != 200:
        refused = "did not refuse it" if data in NOT_REFUSED else "may have refused it"
        unchecked.append(f"the data key: a read of a segment answered {data}, which {refused}")
    unchecked.append("uploads, catalogs and segment updates, which would change something")
    return True, f"{where} accepts the workspace and its keys. Not checked: {'; '.join(unchecked)}"
