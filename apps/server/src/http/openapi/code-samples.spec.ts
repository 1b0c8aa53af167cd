import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createPersonalToken } from '@slipway/contract/personal-tokens'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../testing/world.ts'
import { withCodeSamples } from './code-samples.ts'
import { openApiDocument } from './document.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

type Sample = { label: string; source: string }

function samplesOf(server: string) {
  const { paths } = withCodeSamples(openApiDocument(server), server)
  return (method: string, path: string) => {
    const operation = paths[path]?.[method] as unknown as { 'x-codeSamples': Sample[] }
    return Object.fromEntries(
      operation['x-codeSamples'].map(({ label, source }) => [label, source]),
    )
  }
}

describe('the code samples', () => {
  it('are three for every call', () => {
    const { paths } = withCodeSamples(openApiDocument('/api'), '/api')
    for (const operation of Object.values(paths).flatMap((each) => Object.values(each))) {
      const samples = (operation as unknown as { 'x-codeSamples': Sample[] })['x-codeSamples']
      expect(samples.map(({ label }) => label)).toEqual(['curl', 'JavaScript', 'Python'])
      // Every parameter of the path has a value.
      for (const { source } of samples) expect(source).not.toMatch(/https?:[^'" ]*\{/)
    }
  })

  it('send the example of the document', () => {
    const samples = samplesOf('https://slipway.example/api')('post', '/support/ticket/create')
    expect(samples).toEqual({
      curl: `curl --fail-with-body 'https://slipway.example/api/support/ticket/create' \\
  --request POST \\
  --header "Authorization: Bearer $SLIPWAY_TOKEN" \\
  --json '{
  "subject": "…",
  "message": "…"
}'`,
      JavaScript: `const response = await fetch('https://slipway.example/api/support/ticket/create', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ' + process.env.SLIPWAY_TOKEN,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    "subject": "…",
    "message": "…"
  }),
})
if (!response.ok) throw new Error(await response.text())
console.log(await response.json())`,
      Python: `import os

import requests

response = requests.post(
    "https://slipway.example/api/support/ticket/create",
    headers={
        "Authorization": f"Bearer {os.environ['SLIPWAY_TOKEN']}",
    },
    json={
        "subject": "…",
        "message": "…"
    },
)
response.raise_for_status()
print(response.json())`,
    })
  })

  it('run as they are, in JavaScript', async () => {
    const user = await world.user()
    const { key } = await world.project({ teamId: user.teamId })
    const { token } = await user.call(createPersonalToken, {
      body: { name: 'Samples', projectIds: null },
    })
    const port = await world.listen()
    const { JavaScript = '' } = samplesOf(`http://127.0.0.1:${port}/api`)(
      'get',
      '/management/project/all',
    )
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', JavaScript],
      { env: { SLIPWAY_TOKEN: token } },
    )
    expect(stdout).toContain(`key: '${key}'`)
  })
})
