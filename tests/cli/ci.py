# SPDX-License-Identifier: BSD-2-Clause
"""ci.py FILE JOB... - runs the steps of a CI configuration as its service would, as far as they are shell commands.

  ci.py github ACTION.yml INPUT=VALUE...   the steps of a composite action
  ci.py gitlab TEMPLATE.yml NAME=VALUE...  the script of the job that others extend

Ends with the code of the first step that fails, as these services do.  For GitLab an exit code that the job allows
ends with 0."""
import os
import re
import subprocess
import sys

import yaml


def run(text, environment):
    done = subprocess.run(['bash', '-e', '-o', 'pipefail', '-c', text], env={**os.environ, **environment}, check=False)
    return done.returncode


def github(action, given):
    inputs = {name: given.pop(name, about.get('default')) for name, about in action['inputs'].items()}
    assert not given and None not in inputs.values(), 'an input is missing or unknown'
    assert action['runs']['using'] == 'composite'

    def filled(text):
        return re.sub(r'\$\{\{ inputs\.(\w+) \}\}', lambda m: inputs[m[1]], text)
    for step in action['runs']['steps']:
        assert step['shell'] == 'bash', step
        assert '${{' not in step['run'], 'an expression in a script is an injection'
        code = run(step['run'], {name: filled(value) for name, value in step.get('env', {}).items()})
        if code != 0:
            return code
    return 0


def gitlab(template, given):
    job = template['.heddle']
    assert set(given) <= set(job['variables']), 'an unknown variable'
    environment = {**{k: str(v) for k, v in job['variables'].items()}, **given}
    code = run('\n'.join(job['script']), environment)
    for path in [job['artifacts']['reports']['junit'], *job['artifacts']['paths']]:
        if code != 0:
            assert os.path.exists(path), f'no artefact {path}'
    return 0 if code in job['allow_failure']['exit_codes'] else code


def main():
    service, path, *words = sys.argv[1:]
    with open(path, encoding='utf-8') as f:
        text = yaml.safe_load(f)
    return {'github': github, 'gitlab': gitlab}[service](text, dict(word.split('=', 1) for word in words))


sys.exit(main())
