import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clientExamples } from './sign-in-client-examples.ts'

const docs = readFileSync(new URL('../../../../../../docs/clients.md', import.meta.url), 'utf8')
const values = {
  issuer: 'https://console.example.com',
  clientId: 'CLIENT_ID',
  redirectUri: 'https://app.example.com/callback',
}

describe('the examples of clients', () => {
  it.each(clientExamples)('has the one of $name in docs/clients.md', ({ code }) => {
    expect(docs).toContain(code(values))
  })
})
