import type { Invoice } from '@slipway/contract/invoices'
import { limits } from '@slipway/contract/limits'
import { money, sumAmounts } from '@slipway/contract/money'
import { formatUtcDate, getLocale, m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import CreditCard from 'lucide-react/icons/credit-card'
import { activeInvoiceQuery, paymentMethodsQuery } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { chargedText, forecastWithTax } from './billing-figures.ts'
import { Figure, FigureList } from './figure.tsx'
import { isPayable } from './invoices/invoice-states.ts'
import { CardName } from './payment-methods/card-name.tsx'
import { printedExpiry } from './payment-methods/card-names.ts'

const NoneYet = () => <span className="font-normal text-muted">{m.invoices_due_none()}</span>

const dayText = (time: string | number) =>
  formatUtcDate(time, getLocale(), { month: 'long', year: true })

/** When the oldest of the invoices is due. */
const dueAt = (invoices: readonly Invoice[]) =>
  Math.min(...invoices.map(({ issuedAt }) => Date.parse(issuedAt ?? ''))) +
  limits.unpaidWarningAfter

function DueHint({ payable }: { payable: readonly Invoice[] }) {
  if (payable.length === 0) return m.invoices_due_nothing()
  const day = dayText(dueAt(payable))
  if (!payable.some(({ overdue }) => overdue)) return m.invoices_due_now({ day })
  return <span className="text-danger">{m.invoices_due_late({ day })}</span>
}

function NextInvoice() {
  const { data: active, isPending } = useQuery(activeInvoiceQuery)
  const label = m.invoices_due_next()
  if (isPending) return <LoadingFigure label={label} />
  if (!active) return <Figure label={label}>–</Figure>
  if (money(active.expected).eq(0))
    return (
      <Figure label={label}>
        <NoneYet />
      </Figure>
    )
  const withTax = forecastWithTax(active)
  const hint = withTax
    ? m.invoices_due_about_taxed({ amount: chargedText(withTax) })
    : m.invoices_due_about({ amount: chargedText(active.expected) })
  return (
    <Figure label={label} hint={hint}>
      {dayText(active.endsAt)}
    </Figure>
  )
}

function DefaultCard() {
  const { data: methods, isPending } = useQuery(paymentMethodsQuery)
  const label = m.invoices_due_method()
  if (isPending) return <LoadingFigure label={label} />
  if (!methods) return <Figure label={label}>–</Figure>
  const card = methods.find(({ isDefault }) => isDefault)
  if (!card)
    return (
      <Figure label={label}>
        <NoneYet />
      </Figure>
    )
  const date = printedExpiry(card.expiresAt)
  const hint = card.expired ? (
    <span className="text-danger">{m.cards_expired_on({ date })}</span>
  ) : (
    m.cards_expires({ date })
  )
  return (
    <Figure label={label} hint={hint}>
      <CardName card={card} />
    </Figure>
  )
}

const LoadingFigure = ({ label }: { label: string }) => (
  <Figure label={label} hint={<Skeleton className="w-24" />}>
    <Skeleton className="w-32" />
  </Figure>
)

export function AmountDue({ unpaid }: { unpaid: readonly Invoice[] }) {
  const payable = unpaid.filter(isPayable)
  const sum = sumAmounts(payable.map(({ amount }) => amount))
  // The warning above has the button for overdue invoices.
  const hasButton = payable.length > 0 && !payable.some(({ overdue }) => overdue)
  return (
    <Card>
      <div className="flex flex-col gap-4 sm:flex-row sm:flex-wrap sm:items-center">
        <FigureList>
          <Figure label={m.invoices_amount_due()} hint={<DueHint payable={payable} />}>
            {chargedText(sum)}
          </Figure>
          <NextInvoice />
          <DefaultCard />
        </FigureList>
        {hasButton && (
          <ButtonLink variant="primary" icon={CreditCard} to={paths.payInvoices()}>
            {m.invoices_overview_pay()}
          </ButtonLink>
        )}
      </div>
    </Card>
  )
}

export const AmountDueSkeleton = () => (
  <Card>
    <FigureList>
      <Figure label={m.invoices_amount_due()} hint={<Skeleton className="w-40" />}>
        <Skeleton className="w-24" />
      </Figure>
      <LoadingFigure label={m.invoices_due_next()} />
      <LoadingFigure label={m.invoices_due_method()} />
    </FigureList>
  </Card>
)
