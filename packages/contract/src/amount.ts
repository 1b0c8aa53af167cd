import * as z from 'zod/mini'

/**
 * Decimals of an amount, which is `numeric(20,5)` in the database, text in JSON, and never a float.
 */
export const moneyDecimals = 5

declare const kind: unique symbol

/** An amount in US dollars in JSON and in the database: a decimal with five places, as text. */
export type Amount = string & { readonly [kind]: 'Amount' }

/** An amount in a response. */
/* @__NO_SIDE_EFFECTS__ */
export const amount = () => z.string() as unknown as z.ZodMiniType<Amount, Amount>
