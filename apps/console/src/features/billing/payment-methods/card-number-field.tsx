import type { CardAssociation } from '@slipway/contract/card-associations'
import { cardAssociationOf, cardNumber, normalizeCardNumber } from '@slipway/contract/cards'
import { m } from '@slipway/phrases'
import { useLayoutEffect, useRef, useState } from 'react'
// Loads the form messages now: the field shows one on blur, before a submission would load them.
import '../../../forms/area-form-messages.ts'
import { formMessageText } from '../../../forms/form-message.ts'
import { classNames } from '../../../ui/class-names.ts'
import { controlClass, Field, type FieldProps } from '../../../ui/field/field.tsx'
import { CardLogo } from './card-logo.tsx'
import { brandName } from './card-names.ts'
import { formatCardNumberInput } from './card-number-format.ts'

const sameCell = { gridArea: '1 / 1' }
const invisible = { ...sameCell, visibility: 'hidden' } as const

/**
 * The hint below the field: 16 digits, or that 15-digit cards are not supported. Has the height of
 * the longer one, so that the layout does not shift.
 */
const DigitHint = ({ isFifteen }: { isFifteen: boolean }) => (
  <span className="grid">
    <span style={isFifteen ? invisible : sameCell}>{m.cards_number_digits()}</span>
    <span style={isFifteen ? sameCell : invisible}>{m.cards_number_fifteen()}</span>
  </span>
)

/** The screen reader announcement for the digits so far. */
function announcement(association: CardAssociation) {
  if (association === 'other') return ''
  return association === 'american_express'
    ? m.cards_number_fifteen()
    : m.cards_number_recognized({ brand: brandName(association) })
}

/**
 * A card number, grouped while it is typed, with the logo of its association. Validates on blur.
 * The number stays in the form: it is not stored or logged.
 */
export function CardNumberField({
  label,
  error,
  value,
  onChange,
  ...rest
}: Omit<FieldProps, 'description'>) {
  const input = useRef<HTMLInputElement>(null)
  // A new object on each change, so that the caret is set even if the text is unchanged.
  const [caretState, setCaretState] = useState({ caret: value.length })
  const [isBlurred, setIsBlurred] = useState(false)

  useLayoutEffect(() => {
    if (document.activeElement === input.current)
      input.current?.setSelectionRange(caretState.caret, caretState.caret)
  }, [caretState])

  const isWrong = isBlurred && value !== '' && !cardNumber.safeParse(value).success
  const association = cardAssociationOf(normalizeCardNumber(value))
  return (
    <Field
      label={label}
      error={error ?? (isWrong ? formMessageText('form_enter_card_number') : undefined)}
      description={<DigitHint isFifteen={association === 'american_express'} />}
      required
    >
      {(control) => (
        <div className="relative">
          <input
            {...rest}
            {...control}
            ref={input}
            type="text"
            inputMode="numeric"
            autoComplete="cc-number"
            autoCorrect="off"
            spellCheck={false}
            value={value}
            className={classNames(controlClass, 'pr-11')}
            onChange={({ target, nativeEvent }) => {
              const inputType = nativeEvent instanceof InputEvent ? nativeEvent.inputType : ''
              const caret = target.selectionStart ?? target.value.length
              const next = formatCardNumberInput(value, { text: target.value, caret }, inputType)
              setCaretState({ caret: next.caret })
              setIsBlurred(false)
              onChange(next.text)
            }}
            onBlur={() => setIsBlurred(true)}
          />
          {association !== 'other' && (
            <span className="pointer-events-none absolute inset-y-0 right-0 flex items-center px-2">
              <CardLogo association={association} hidden />
            </span>
          )}
          <span role="status" className="sr-only">
            {announcement(association)}
          </span>
        </div>
      )}
    </Field>
  )
}
