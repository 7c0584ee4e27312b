# SPDX-License-Identifier: BSD-2-Clause
#
# validate.py - what the machine formats must be, for all tests that look at them:
# the schemas, and what schemas cannot say.
#
#   python3 validate.py [-r] KIND:FILE...     KIND is json, junit or sarif; -r: each must be refused
#
# Exits with 77 when a validator is missing.  One process takes all files: importing jsonschema takes
# longer than validating.
import functools, hashlib, json, os, shutil, subprocess, sys, urllib.parse
import xml.etree.ElementTree as xml

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))

# The schema of the SARIF committee, which this package carries.
PACKAGE = '@microsoft/jest-sarif@1.0.0-beta.0'
IN_PACKAGE = 'package/lib/schemas/sarif-2.1.0-rtm.5.json'
SHA256 = '2d99159ae54a3eea97f81781cff48780548657c35949f4b7f25e99a2ba4de4f8'


class Missing(Exception):
    """A validator that could not be installed."""


def draft(schema):
    try:
        import jsonschema
    except ImportError:
        raise Missing('python3-jsonschema is not installed') from None
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def must(condition, what):
    if not condition:
        raise AssertionError(what)


def conforms(validator, value):
    for e in validator.iter_errors(value):
        raise AssertionError(f'at {"/".join(map(str, e.absolute_path))}: {e.message[:300]}')


# ---- JSON ---------------------------------------------------------------------------------

@functools.cache
def json_validator():
    with open(os.path.join(SOURCE, 'docs/heddle.schema.json'), encoding='utf-8') as f:
        return draft(json.load(f))


def check_json(path):
    validator = json_validator()
    with open(path, encoding='utf-8') as f:
        result = json.load(f)
    conforms(validator, result)
    return result


# ---- JUnit --------------------------------------------------------------------------------

def count(root, tag):
    return sum(1 for case in root.iter('testcase') if case.find(tag) is not None)


def check_junit(path):
    if shutil.which('xmllint') is None:
        raise Missing('xmllint (libxml2-utils) is not installed')
    done = subprocess.run(['xmllint', '--noout', '--nonet', '--schema', os.path.join(HERE, 'junit.xsd'), path],
                          capture_output=True, text=True)
    must(done.returncode == 0, done.stderr)
    root = xml.parse(path).getroot()
    for level in (root, root.find('testsuite')):
        must(int(level.get('tests')) == len(list(root.iter('testcase'))), 'number of tests')
        for attribute, tag in (('failures', 'failure'), ('errors', 'error'), ('skipped', 'skipped')):
            must(int(level.get(attribute)) == count(root, tag), f'number of {attribute}')
    for case in root.iter('testcase'):
        names = [p.get('name') for p in case.iter('property')]
        must(case.find('skipped') is not None or
             {'verdict', 'strategy', 'seed', 'executions', 'guarantee'} <= set(names), names)
    return root


# ---- SARIF --------------------------------------------------------------------------------

@functools.cache
def sarif_validator():
    build = os.path.dirname(os.path.dirname(os.path.realpath(os.environ['HEDDLE'])))
    kept = os.path.join(build, 'tests', 'sarif-2.1.0.json')
    if not os.path.exists(kept):
        fetch(kept)
    with open(kept, 'rb') as f:
        text = f.read()
    must(hashlib.sha256(text).hexdigest() == SHA256, f'{kept} is not the schema that it should be')
    return draft(json.loads(text))


def fetch(kept):
    where = kept + '.d'
    os.makedirs(where, exist_ok=True)
    try:
        done = subprocess.run(['npm', 'pack', '--silent', PACKAGE], cwd=where, capture_output=True, text=True,
                              timeout=120)
        archive = os.path.join(where, done.stdout.strip().splitlines()[-1])
        subprocess.run(['tar', '-xzf', archive, '-C', where, IN_PACKAGE], check=True, capture_output=True)
        os.replace(os.path.join(where, IN_PACKAGE), kept)
    except (OSError, IndexError, subprocess.SubprocessError):
        raise Missing(f'the package {PACKAGE}, which has the schema, could not be fetched') from None
    finally:
        shutil.rmtree(where, ignore_errors=True)


def check_flow(flow, ends):
    """One flow per thread, and an order of execution without ties over all of them."""
    orders = []
    ids = [t['id'] for t in flow['threadFlows']]
    must(len(ids) == len(set(ids)), f'threads {ids}')
    for thread in flow['threadFlows']:
        own = [step['executionOrder'] for step in thread['locations']]
        must(own == sorted(own), f'{thread["id"]}: {own}')
        orders += own
    must(len(orders) == len(set(orders)), f'orders {sorted(orders)}')
    if len(orders) < 10000:  # of longer ones the beginning is left out
        must(sorted(orders) == list(range(1, len(orders) + 1)), f'orders {sorted(orders)}')
    must(not ends or any(s['importance'] == 'essential' for t in flow['threadFlows'] for s in t['locations']),
         'nothing is essential')


def check_places(run, value):
    """All files are in the list, at their index, and exist."""
    if isinstance(value, list):
        for v in value:
            check_places(run, v)
    elif isinstance(value, dict):
        here = value.get('artifactLocation')
        if here is not None:
            entry = run['artifacts'][here['index']]['location']
            must(entry['uri'] == here['uri'] and entry.get('uriBaseId') == here.get('uriBaseId'), here)
            root = run['originalUriBaseIds']['SRCROOT']['uri'] if 'uriBaseId' in here else ''
            path = urllib.parse.unquote(urllib.parse.urlparse(root + here['uri']).path)
            must(os.path.exists(path) or path.startswith('/build/'), f'{path} does not exist')
        for v in value.values():
            check_places(run, v)


def check_sarif(path):
    validator = sarif_validator()
    with open(path, encoding='utf-8') as f:
        log = json.load(f)
    conforms(validator, log)
    must(len(log['runs']) == 1, 'one run')
    run = log['runs'][0]
    rules = [r['id'] for r in run['tool']['driver']['rules']]
    for result in run['results']:
        must(rules[result['ruleIndex']] == result['ruleId'], result['ruleId'])
        must(result['level'] == 'warning' or len(result['locations']) == 1, 'a finding is somewhere')
        for flow in result.get('codeFlows', []):
            check_flow(flow, result['ruleId'] != 'leak')
    check_places(run, run['results'])
    return run


CHECKS = {'json': check_json, 'junit': check_junit, 'sarif': check_sarif}


def refused(kind, name):
    try:
        CHECKS[kind](name)
    except (AssertionError, KeyError, ValueError, xml.ParseError):
        return True
    return False


def main(words):
    try:
        for word in words:
            if word == '-r':
                continue
            kind, name = word.split(':', 1)
            if words[0] == '-r':
                must(refused(kind, name), f'{name} is accepted')
            else:
                CHECKS[kind](name)
    except Missing as e:
        print(f'SKIPPED: {e}')
        sys.exit(77)


if __name__ == '__main__':
    main(sys.argv[1:])
