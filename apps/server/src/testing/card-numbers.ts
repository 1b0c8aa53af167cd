import { containsCardNumber } from '@slipway/contract/card-numbers'
import pg from 'pg'

/** The test numbers of the payment gateways. */
const testNumbers = ['4242424242424242', '4000000000000002', '4000000000000341']

/** The parts of the text's base64 that do not depend on the bytes around it, for each alignment. */
const base64Of = (text: string) =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    const end = Math.floor((bytes.length * 8) / 6)
    return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), end)
  })

/** A card number in every form in which it could be stored. */
export function encodedForms(number: string): string[] {
  const groups = number.match(/.{1,4}/g) ?? []
  const spelled = [number, ...[' ', '-', '%20', '+', '%2D', '.'].map((sign) => groups.join(sign))]
  return [
    ...spelled,
    ...[number, groups.join(' ')].flatMap(base64Of),
    Buffer.from(number).toString('hex'),
  ]
}

/** Digits that are no input: ids, hashes, random bytes and response times. */
const measured =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\\x[0-9a-f]*|\b[0-9a-f]{32,}\b|"responseTime":[0-9.]+/g

/** Returns a test for texts that contain one of the numbers in any form, or another card number. */
export function cardNumberMatcher(numbers: readonly string[] = testNumbers) {
  const forms = numbers.flatMap(encodedForms)
  return (text: string) =>
    forms.some((form) => text.includes(form)) ||
    containsCardNumber(text.replaceAll(measured, ' / '))
}

/** At least 14 digits with few separators: a prefilter in the database. */
const manyDigits = '[0-9](?:[[:space:]._\\-]{0,3}[0-9]){13}'

const tablesQuery = `
  select format('select %L as name, row::text as text from %I.%I as row', relname, nspname, relname) as each
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema')`

/** Rows of all tables of all schemas that contain a card number, each with its table name. */
export async function rowsWithCardNumber(
  database: pg.ClientConfig,
  numbers: readonly string[] = testNumbers,
): Promise<string[]> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    const tables = await client.query<{ each: string }>(tablesQuery)
    const forms = numbers.flatMap(encodedForms).map((form) => form.replaceAll(/[.+]/g, '\\$&'))
    const { rows } = await client.query<{ name: string; text: string }>(
      `select name, text from (${tables.rows.map(({ each }) => each).join(' union all ')}) as rows
       where text ~ $1`,
      [[manyDigits, ...forms].join('|')],
    )
    const givesAway = cardNumberMatcher(numbers)
    return rows.flatMap(({ name, text }) =>
      givesAway(text) ? [`${name}: ${text.slice(0, 1000)}`] : [],
    )
  } finally {
    await client.end()
  }
}

/** Rejects when the database or the log contains a card number. */
export async function requireNoCardNumber(
  database: pg.ClientConfig,
  logged: readonly string[] = [],
): Promise<void> {
  const leaks = [
    ...(await rowsWithCardNumber(database)),
    ...logged.filter(cardNumberMatcher()).map((line) => `log: ${line.slice(0, 1000)}`),
  ]
  if (leaks.length > 0) throw new Error(`card numbers were stored:\n${leaks.join('\n')}`)
}
