"""The table in a browser on this machine: a page whose objects are those of `protocol/front.md`.

Needs starlette, anycorn and jinja2 (`pip install 'p2ptruco[web]'`); nothing else imports it.
"""
