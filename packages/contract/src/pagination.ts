import * as z from 'zod/mini'

/** A page of a list: `page` from 1, `perPage` 10 by default and at most 100. */
export const pageQuery = z.object({
  page: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000)), 1),
  perPage: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 10),
})

/** A page of a list. A page past the end is empty. */
/* @__NO_SIDE_EFFECTS__ */
export const pageOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({
    items: z.array(item),
    currentPage: z.number(),
    totalPages: z.number(),
    perPage: z.number(),
  })
