import type { InvoiceItem } from '@slipway/contract/invoices'
import { money, sumAmounts } from '@slipway/contract/money'

/** The items ordered by the cost of their project, the highest first; those of a project adjoin. */
export const highestCostFirst = (items: readonly InvoiceItem[]) =>
  [...Map.groupBy(items, ({ projectKey }) => projectKey).values()]
    .map((group) => ({
      group,
      cost: money(sumAmounts(group.map(({ totalAmount }) => totalAmount))),
    }))
    .toSorted((one, other) => other.cost.cmp(one.cost))
    .flatMap(({ group }) => group)
