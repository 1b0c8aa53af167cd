import type { ActiveInvoice } from '@slipway/contract/invoices'
import { m } from '@slipway/phrases'
import { Amount } from '../amount.tsx'
import { hoursText } from '../billing-figures.ts'

/** The cost of each product so far, highest first. */
export const UsageByProduct = ({ usage }: { usage: ActiveInvoice['usage'] }) => (
  <div className="grid gap-2">
    <h3 className="font-medium">{m.invoices_active_usage()}</h3>
    <dl className="divide-y divide-line">
      {usage.map(({ product, runningHours, totalAmount }) => (
        <div key={product} className="flex flex-wrap justify-between gap-x-4 py-1.5">
          <dt className="min-w-0 wrap-anywhere">{product}</dt>
          <dd className="ml-auto flex flex-wrap justify-end gap-x-4">
            <span className="text-muted">{hoursText(runningHours)}</span>
            <span className="font-medium">
              <Amount value={totalAmount} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  </div>
)
