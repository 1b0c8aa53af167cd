import { type BillingFields, type Country, countries } from '@slipway/contract/payment-methods'
import { m } from '@slipway/phrases'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'

const countryNames: Record<Country, () => string> = {
  Turkey: () => m.cards_country_turkey(),
  England: () => m.cards_country_england(),
}

/** What a form gives its fields: as `useForm` does. */
type FieldOf = (name: keyof BillingFields) => {
  name: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** Whom and where the bills are for, as browsers know to fill it in. */
export const BillingAddressFields = ({ field }: { field: FieldOf }) => (
  <>
    <TextField
      label={m.cards_billing_name()}
      description={m.cards_billing_name_hint()}
      required
      autoComplete="billing name"
      {...field('billingName')}
    />
    <TextField
      label={m.cards_address()}
      required
      autoComplete="billing street-address"
      {...field('address')}
    />
    <TextField
      label={m.cards_district()}
      required
      autoComplete="billing address-level3"
      {...field('district')}
    />
    <TextField
      label={m.cards_city()}
      required
      autoComplete="billing address-level2"
      {...field('city')}
    />
    <SelectField
      label={m.cards_country()}
      required
      autoComplete="billing country-name"
      placeholder={m.cards_select_country()}
      options={countries.map((value) => ({ value, label: countryNames[value]() }))}
      {...field('country')}
    />
  </>
)
