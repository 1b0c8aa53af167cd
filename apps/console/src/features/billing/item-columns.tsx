import type { InvoiceItem } from '@slipway/contract/invoices'
import { money } from '@slipway/contract/money'
import { m } from '@slipway/phrases'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { type Column, rowLinkClass } from '../../ui/table/table-parts.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { Amount } from './amount.tsx'
import { amountText, hoursText } from './billing-figures.ts'

/** The project, as quiet on a phone as in a wide window: the sum is the loudest. */
export const ItemName = ({ item }: { item: InvoiceItem }) => (
  <span className="text-sm font-medium text-balance">
    <Link to={paths.project(item.projectKey)} className={classNames('rounded-md', rowLinkClass)}>
      {item.projectName}
    </Link>
  </span>
)

const NoDiscount = () => (
  <>
    <span aria-hidden>–</span>
    <VisuallyHidden>{m.invoices_no_discount()}</VisuallyHidden>
  </>
)

const discountColumn = (): Column<InvoiceItem> => ({
  key: 'discount',
  header: m.invoices_discount(),
  sortBy: ({ discount }) => money(discount ?? '0'),
  cell: ({ discount }) => (discount === null ? <NoDiscount /> : amountText(discount)),
  align: 'end',
  skeleton: 'w-20',
})

/** The columns of an item's hours and prices; the last, its cost, is named by the caller. */
export const itemColumns = (
  amountHeader: string,
  { hasDiscount }: { hasDiscount: boolean },
): Column<InvoiceItem>[] => [
  {
    key: 'duration',
    header: m.invoices_duration(),
    sortBy: ({ runningHours }) => runningHours,
    cell: ({ runningHours }) => hoursText(runningHours),
    align: 'end',
    skeleton: 'w-20',
  },
  {
    key: 'price',
    header: m.invoices_price(),
    sortBy: ({ price }) => money(price),
    cell: ({ price }) => amountText(price),
    align: 'end',
    skeleton: 'w-20',
  },
  ...(hasDiscount ? [discountColumn()] : []),
  {
    key: 'amount',
    header: amountHeader,
    sortBy: ({ totalAmount }) => money(totalAmount),
    cell: ({ totalAmount }) => <Amount value={totalAmount} />,
    align: 'end',
    inCompact: true,
    skeleton: 'w-24',
  },
]
