import { listOf, type Read } from './env-values.ts'

/** An environment variable: its documentation and its reader. */
export type Variable<Value, Unset = Value> = {
  /** As the documentation shows it. */
  default: string
  meaning: string
  read: Read<Value>
  /** The value while the variable is not set. */
  unset: Unset
  /** It may hold a password: what it is set to is shown to nobody, not even when it is wrong. */
  secret: boolean
}

/** A variable whose default is a text that could stand in it. */
export const variable = <Value>(
  text: string,
  meaning: string,
  read: Read<Value>,
): Variable<Value> => ({
  default: text,
  meaning,
  read,
  unset: read(text),
  secret: false,
})

/** A variable that has no value of its own while it is not set. */
export const optional = <Value>(
  fallback: string,
  meaning: string,
  read: Read<Value>,
): Variable<Value, undefined> => ({
  default: fallback,
  meaning,
  read,
  unset: undefined,
  secret: false,
})

/** An optional variable that may hold a password. */
export const secret = <Value>(fallback: string, meaning: string, read: Read<Value>) => ({
  ...optional(fallback, meaning, read),
  secret: true,
})

/** A comma-separated list, empty while the variable is not set. */
export const optionalList = <Value>(meaning: string, read: Read<Value>): Variable<Value[]> => ({
  default: 'none',
  meaning,
  read: listOf(read),
  unset: [],
  secret: false,
})
