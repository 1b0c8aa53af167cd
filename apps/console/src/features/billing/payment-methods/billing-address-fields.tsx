import { type BillingFields, countries } from '@slipway/contract/payment-methods'
import { m } from '@slipway/phrases'
import { SelectField } from '../../../ui/field/select-field.tsx'
import { TextField } from '../../../ui/field/text-field.tsx'
import { countryNames } from './card-names.ts'

const addressLines = [
  { name: 'address', label: m.cards_address, autoComplete: 'street-address' },
  { name: 'district', label: m.cards_district, autoComplete: 'address-level3' },
  { name: 'city', label: m.cards_city, autoComplete: 'address-level2' },
] as const

type FieldOf = (name: keyof BillingFields) => {
  name: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

export const BillingAddressFields = ({ field }: { field: FieldOf }) => (
  <>
    <TextField
      label={m.cards_billing_name()}
      description={m.cards_billing_name_hint()}
      required
      autoComplete="billing name"
      {...field('billingName')}
    />
    {addressLines.map(({ name, label, autoComplete }) => (
      <TextField
        key={name}
        label={label()}
        required
        autoComplete={`billing ${autoComplete}`}
        {...field(name)}
      />
    ))}
    <SelectField
      label={m.cards_country()}
      required
      autoComplete="billing country-name"
      placeholder={m.cards_select_country()}
      options={countries.map((value) => ({ value, label: countryNames[value]() }))}
      {...field('country')}
    />
    <TextField
      label={m.cards_tax_number()}
      description={m.cards_tax_number_hint()}
      autoComplete="off"
      spellCheck={false}
      {...field('taxNumber')}
    />
  </>
)
