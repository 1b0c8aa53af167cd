import { getLocale, languageName, locales, m, parseLocale } from '@slipway/phrases'
import ChevronDown from 'lucide-react/icons/chevron-down'
import {
  changeColorMode,
  colorModes,
  parseColorMode,
  useColorMode,
} from '../color-mode/color-mode.ts'
import { colorModeNames } from '../color-mode/color-mode-names.ts'
import { changeLocale, useLocale } from '../language/locale.ts'

/** Language and color mode as native selects, for the pages without the navigation. */
export function Preferences() {
  return (
    <div className="flex flex-wrap justify-center gap-2">
      <QuietSelect
        label={m.shell_language()}
        value={useLocale()}
        options={locales.map((locale) => ({
          value: locale,
          label: languageName(locale),
          lang: locale,
        }))}
        onChange={(value) => changeLocale(parseLocale(value, getLocale()))}
      />
      <QuietSelect
        label={m.shell_color_mode()}
        value={useColorMode()}
        options={colorModes.map((mode) => ({ value: mode, label: colorModeNames[mode]() }))}
        onChange={(value) => changeColorMode(parseColorMode(value))}
      />
    </div>
  )
}

function QuietSelect({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: { value: string; label: string; lang?: string }[]
  onChange: (value: string) => void
}) {
  return (
    <div className="relative">
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="control-height field-sizing-content appearance-none rounded-md bg-transparent pr-7.5 pl-3 text-muted transition-colors hover:bg-hover hover:text-fg"
      >
        {options.map((option) => (
          <option
            key={option.value}
            value={option.value}
            lang={option.lang}
            className="bg-raised text-fg"
          >
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-1/2 right-2 size-3.5 -translate-y-1/2 text-muted"
        aria-hidden
      />
    </div>
  )
}
