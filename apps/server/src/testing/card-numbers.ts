import { containsCardNumber } from '@slipway/contract/card-numbers'
import pg from 'pg'

/** The numbers that tests type in most: those that the gateways of the product know. */
const known = ['4242424242424242', '4000000000000002', '4000000000000341']

/** What of the text's base64 form stands there whatever stands before and after it, which may begin at any byte. */
const base64Of = (text: string) =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    const whole = Math.floor((bytes.length * 8) / 6)
    return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), whole)
  })

/** A card's number in every form in which something may have kept it. */
export function disguises(number: string): string[] {
  const groups = number.match(/.{1,4}/g) ?? []
  const spelled = [number, ...[' ', '-', '%20', '+', '%2D', '.'].map((sign) => groups.join(sign))]
  return [
    ...spelled,
    ...[number, groups.join(' ')].flatMap(base64Of),
    Buffer.from(number).toString('hex'),
  ]
}

/** Digits that nobody typed: ids, hashes, random bytes, and how long a request took, to sixteen digits. */
const measured =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\\x[0-9a-f]*|\b[0-9a-f]{32,}\b|"responseTime":[0-9.]+/g

/** Says of texts whether they hold one of the numbers in any form, or anything else that is a card's number. */
export function detector(numbers: readonly string[] = known) {
  const forms = numbers.flatMap(disguises)
  return (text: string) =>
    forms.some((form) => text.includes(form)) ||
    containsCardNumber(text.replaceAll(measured, ' / '))
}

/** Fifteen digits or more with little between them: what is not worth a closer look is left in the database. */
const manyDigits = '[0-9](?:[[:space:]._\\-]{0,3}[0-9]){13}'

const tablesQuery = `
  select format('select %L as name, row::text as text from %I.%I as row', relname, nspname, relname) as each
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema')`

/** Rows of any table of any schema that hold a card's number, each with the name of its table. */
export async function rowsThatGiveAway(
  database: pg.ClientConfig,
  numbers: readonly string[] = known,
): Promise<string[]> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    const tables = await client.query<{ each: string }>(tablesQuery)
    const forms = numbers.flatMap(disguises).map((form) => form.replaceAll(/[.+]/g, '\\$&'))
    const { rows } = await client.query<{ name: string; text: string }>(
      `select name, text from (${tables.rows.map(({ each }) => each).join(' union all ')}) as rows
       where text ~ $1`,
      [[manyDigits, ...forms].join('|')],
    )
    const givesAway = detector(numbers)
    return rows.flatMap(({ name, text }) =>
      givesAway(text) ? [`${name}: ${text.slice(0, 1000)}`] : [],
    )
  } finally {
    await client.end()
  }
}

/** Rejects when a card's number stands in the database or in what was logged. */
export async function requireNoCardNumber(
  database: pg.ClientConfig,
  logged: readonly string[] = [],
): Promise<void> {
  const found = [
    ...(await rowsThatGiveAway(database)),
    ...logged.filter(detector()).map((line) => `log: ${line.slice(0, 1000)}`),
  ]
  if (found.length > 0) throw new Error(`card numbers were kept:\n${found.join('\n')}`)
}
