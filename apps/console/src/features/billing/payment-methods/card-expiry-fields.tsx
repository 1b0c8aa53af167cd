import { expiryProblems } from '@slipway/contract/cards'
import { m } from '@slipway/phrases'
// The messages of the form are shown while the user types, before a submission loads them.
import '../../../forms/area-form-messages.ts'
import { formMessageText } from '../../../forms/form-message.ts'
import { SelectField } from '../../../ui/field/select-field.tsx'

const maxYearsAhead = 20

const months = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0'))

const yearsFrom = (year: number) =>
  Array.from({ length: maxYearsAhead + 1 }, (_, index) => String(year + index))

const optionsOf = (values: string[]) => values.map((value) => ({ value, label: value }))

type Part = {
  name: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/**
 * Selects for the month and the year on a card, which browsers can autofill. Once both are
 * selected, an expired card marks both fields.
 */
export function CardExpiryFields({ month, year }: { month: Part; year: Part }) {
  const now = new Date()
  const isChosen = month.value !== '' && year.value !== ''
  const problems = isChosen
    ? // biome-ignore lint/plugin: a month and a year, and no money
      expiryProblems({ expireMonth: Number(month.value), expireYear: Number(year.value) }, now)
    : null
  const textOf = (name: 'expireMonth' | 'expireYear') => {
    const message = problems?.[name]
    return message && formMessageText(message)
  }
  return (
    <div className="flex items-start gap-4">
      <div className="min-w-0 flex-1">
        <SelectField
          {...month}
          label={m.cards_expire_month()}
          error={month.error ?? textOf('expireMonth')}
          required
          autoComplete="cc-exp-month"
          placeholder={m.cards_select_month()}
          options={optionsOf(months)}
        />
      </div>
      <div className="min-w-0 flex-1">
        <SelectField
          {...year}
          label={m.cards_expire_year()}
          error={year.error ?? textOf('expireYear')}
          required
          autoComplete="cc-exp-year"
          placeholder={m.cards_select_year()}
          options={optionsOf(yearsFrom(now.getUTCFullYear()))}
        />
      </div>
    </div>
  )
}
