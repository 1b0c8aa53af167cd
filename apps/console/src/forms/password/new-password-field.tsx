import { m } from '@slipway/phrases'
import Check from 'lucide-react/icons/check'
import Circle from 'lucide-react/icons/circle'
import X from 'lucide-react/icons/x'
import { classNames } from '../../ui/class-names.ts'
import type { FieldProps } from '../../ui/field/field.tsx'
import { PasswordField } from '../../ui/field/password-field.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { checkPassword, type PasswordRule } from './password-rules.ts'
import { passwordTexts } from './password-texts.ts'

const ruleTexts: Record<PasswordRule, () => string> = {
  length: () => m.auth_rule_length(),
  lower: () => m.auth_rule_lower(),
  upper: () => m.auth_rule_upper(),
  digit: () => m.auth_rule_digit(),
  symbol: () => m.auth_rule_symbol(),
}

/** A field for a new password. Ticks each met rule; shows the others in red after an error. */
export const NewPasswordField = (props: FieldProps) => (
  <PasswordField
    {...props}
    required
    autoComplete="new-password"
    texts={passwordTexts()}
    description={<PasswordRules value={props.value} rejected={props.error !== undefined} />}
  />
)

const PasswordRules = ({ value, rejected }: { value: string; rejected: boolean }) => (
  <ul className="mt-0.5 grid gap-x-4 gap-y-1 text-xs min-[22rem]:grid-flow-col min-[22rem]:grid-cols-2 min-[22rem]:grid-rows-3">
    {checkPassword(value).map(({ rule, met }) => {
      const Icon = met ? Check : rejected ? X : Circle
      return (
        <li
          key={rule}
          className={classNames(
            'flex items-center gap-1.5',
            met ? 'text-success' : rejected && 'text-danger',
          )}
        >
          <Icon className="size-3.5 shrink-0" aria-hidden />
          {ruleTexts[rule]()}
          {met && <VisuallyHidden> ({m.auth_rule_met()})</VisuallyHidden>}
        </li>
      )
    })}
  </ul>
)
