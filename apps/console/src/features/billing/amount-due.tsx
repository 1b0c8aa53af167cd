import type { Invoice } from '@slipway/contract/invoices'
import { money, sumAmounts } from '@slipway/contract/money'
import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import CreditCard from 'lucide-react/icons/credit-card'
import { activeInvoiceQuery, paymentMethodsQuery } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { chargedText, dueDay, longDay, withTax } from './billing-figures.ts'
import { Figure, FigureList } from './figure.tsx'
import { isPayable } from './invoices/invoice-states.ts'
import { CardName } from './payment-methods/card-name.tsx'
import { printedExpiry } from './payment-methods/card-names.ts'

/** In place of a value. */
const Note = ({ label, children }: { label: string; children: string }) => (
  <Figure label={label} isName>
    <span className="font-normal text-muted">{children}</span>
  </Figure>
)

/** What will be paid at the end of the period and what of it is already used, both with tax. */
function NextInvoice() {
  const { data: active, isPending } = useQuery(activeInvoiceQuery)
  const label = m.invoices_due_next()
  if (isPending) return <LoadingFigure label={label} />
  if (!active) return <Note label={label}>{m.invoices_due_not_loaded()}</Note>
  const { amount, expected, taxRate, endsAt } = active
  if (money(expected).eq(0)) return <Note label={label}>{m.invoices_due_none()}</Note>
  const day = longDay(endsAt)
  const hasTax = !money(taxRate).eq(0)
  const soFar = hasTax ? m.invoices_due_so_far_taxed : m.invoices_due_so_far
  return (
    <Figure
      label={label}
      hint={
        <>
          {hasTax ? m.invoices_due_expected_taxed({ day }) : m.invoices_due_expected({ day })}
          <span className="block">{soFar({ amount: chargedText(withTax(amount, taxRate)) })}</span>
        </>
      }
    >
      {chargedText(withTax(expected, taxRate))}
    </Figure>
  )
}

function DefaultCard() {
  const { data: methods, isPending } = useQuery(paymentMethodsQuery)
  const label = m.invoices_due_method()
  if (isPending) return <LoadingFigure label={label} />
  if (!methods) return <Note label={label}>{m.invoices_due_not_loaded()}</Note>
  const card = methods.find(({ isDefault }) => isDefault)
  if (!card) return <Note label={label}>{m.invoices_due_none()}</Note>
  const date = printedExpiry(card.expiresAt)
  const hint = card.expired ? (
    <span className="text-danger">{m.cards_expired_on({ date })}</span>
  ) : (
    m.cards_expires({ date })
  )
  return (
    <Figure label={label} hint={hint} isName>
      <CardName card={card} />
    </Figure>
  )
}

const LoadingFigure = ({ label }: { label: string }) => (
  <Figure label={label} hint={<Skeleton className="w-40" />}>
    <Skeleton className="w-24" />
  </Figure>
)

/** What is to be paid next. The banner above has the overdue invoices and their button. */
export function AmountDue({ unpaid }: { unpaid: readonly Invoice[] }) {
  const payable = unpaid.filter(isPayable)
  const due = payable.filter(({ overdue }) => !overdue)
  return (
    <Card>
      <div className="flex flex-col gap-4 sm:flex-row sm:flex-wrap sm:items-center">
        <FigureList>
          {due.length > 0 && (
            <Figure label={m.invoices_amount_due()} hint={m.invoices_due_now({ day: dueDay(due) })}>
              {chargedText(sumAmounts(due.map(({ amount }) => amount)))}
            </Figure>
          )}
          <NextInvoice />
          <DefaultCard />
        </FigureList>
        {due.length > 0 && due.length === payable.length && (
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
      <LoadingFigure label={m.invoices_due_next()} />
      <LoadingFigure label={m.invoices_due_method()} />
    </FigureList>
  </Card>
)
