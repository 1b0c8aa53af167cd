import { parseArgs } from 'node:util'

/** The number of an option; `fallback` without it. Throws for anything but a whole number. */
function numberOf(name: string, text: string | undefined, fallback: number) {
  if (text === undefined) return fallback
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} must be a whole number, but is ${text}`)
  return Number(text)
}

/** Reads the options of a command; each is a whole number, with its default. */
export function readOptions<Name extends string>(
  defaults: Record<Name, number>,
): Record<Name, number> {
  const names = Object.keys(defaults) as Name[]
  const { values } = parseArgs({
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  })
  return Object.fromEntries(
    names.map((name) => [name, numberOf(name, values[name] as string | undefined, defaults[name])]),
  ) as Record<Name, number>
}

/** A seed for a run that names none. */
export const randomSeed = () => Math.floor(Math.random() * 2 ** 31)
