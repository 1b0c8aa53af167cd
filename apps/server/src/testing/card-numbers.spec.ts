import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { cardNumberMatcher, rowsWithCardNumber } from './card-numbers.ts'
import { createDatabase } from './database.ts'

const number = '5555555555554444'

async function createDatabaseWith(statement: string) {
  const database = await createDatabase()
  const client = new pg.Client(database.options)
  await client.connect()
  await client.query('create table test_rows (text text, json jsonb, bytes bytea)')
  await client.query(statement)
  await client.end()
  return database
}

describe('card number detection', () => {
  it('ignores response times', () => {
    expect(
      cardNumberMatcher()('{"responseTime":4.242424242424242,"msg":"request completed"}'),
    ).toBe(false)
  })

  it.each([
    ['as it is', number],
    ['in groups', '5555 5555 5555 4444'],
    ['with hyphens', 'my card is 5555-5555-5555-4444, thank you'],
    ['in base64', Buffer.from(`{"card":"${number}"}`).toString('base64')],
    ['in base64 at the second alignment', Buffer.from(`{"cards":"${number}"}`).toString('base64')],
    ['in base64 at the third alignment', Buffer.from(`"${number}`).toString('base64')],
    ['in an address', 'card=5555%205555%205555%204444'],
    ['in a form', 'card=5555+5555+5555+4444'],
  ])('finds a number %s', async (_, text) => {
    expect(cardNumberMatcher([number])(`before ${text} after`)).toBe(true)
    const database = await createDatabaseWith(`insert into test_rows (text) values ('${text}')`)
    expect(await rowsWithCardNumber(database.options, [number])).toHaveLength(1)
    await database.drop().catch(() => undefined)
  })

  it.each([
    ['in JSON', `insert into test_rows (json) values ('{"a": ["${number}"]}')`],
    [
      'in bytes',
      `insert into test_rows (bytes) values ('\\x${Buffer.from(number).toString('hex')}')`,
    ],
    [
      'in another schema',
      `create schema other; create table other.test_rows as select '${number}' as text`,
    ],
  ])('finds a number %s', async (_, statement) => {
    const database = await createDatabaseWith(statement)
    expect(await rowsWithCardNumber(database.options, [number])).toHaveLength(1)
    await database.drop().catch(() => undefined)
  })

  it('finds an unknown number', async () => {
    const database = await createDatabaseWith(
      `insert into test_rows (text) values ('4539 5787 6362 1486')`,
    )
    await expect(database.drop()).rejects.toThrow('card numbers were stored')
  })

  it('ignores ids, times, hashes and amounts', async () => {
    const database = await createDatabaseWith(`
      insert into test_rows select gen_random_uuid()::text, to_jsonb(now()), sha256(i::text::bytea)
      from generate_series(1, 20000) as i;
      insert into test_rows (text) values ('12345678901234.12345'), ('2026-11-02 09:00:00.000+00')`)
    await expect(database.drop()).resolves.toBeUndefined()
  })
})
