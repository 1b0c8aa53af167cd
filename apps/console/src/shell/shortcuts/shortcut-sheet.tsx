import { m } from '@slipway/phrases'
import { Button } from '../../ui/button.tsx'
import { DialogPopup } from '../../ui/dialog/dialog-popup.tsx'
import { CheckInput } from '../../ui/field/check-input.tsx'
import { useLocale } from '../language/locale.ts'
import { areas } from '../navigation/areas.ts'
import { Keys } from './keys.tsx'
import { closeOverlay } from './open-overlay.ts'
import { type ShortcutAction, shortcuts } from './shortcuts.ts'
import { enableSingleKeyShortcuts, useSingleKeyShortcutsEnabled } from './single-keys.ts'

const texts: Record<Extract<ShortcutAction, string>, () => string> = {
  palette: () => m.shortcuts_palette(),
  search: () => m.shortcuts_search(),
  create: () => m.shortcuts_create(),
  help: () => m.shortcuts_help(),
  close: () => m.shortcuts_close(),
}

function textOf(action: ShortcutAction) {
  if (typeof action === 'string') return texts[action]()
  const area = areas.find(({ to }) => to === action.to)
  return m.shortcuts_go({ place: area ? area.name() : m.shell_account() })
}

/** Switches the single-key shortcuts. Shortcuts with Ctrl or Command stay on. */
function SingleKeysSwitch() {
  const isEnabled = useSingleKeyShortcutsEnabled()
  return (
    <label className="flex items-start gap-3">
      <CheckInput
        type="checkbox"
        checked={isEnabled}
        onChange={(event) => enableSingleKeyShortcuts(event.target.checked)}
      />
      <span className="grid gap-0.5">
        {m.shortcuts_single_keys()}
        <span className="text-xs text-muted">{m.shortcuts_single_keys_hint()}</span>
      </span>
    </label>
  )
}

export function ShortcutSheet({ open }: { open: boolean }) {
  useLocale()
  return (
    <DialogPopup
      open={open}
      title={m.shortcuts_title()}
      closeLabel={m.shell_close()}
      onClose={closeOverlay}
    >
      <dl className="grid gap-2">
        {shortcuts.map(({ keys, action }) => (
          <div key={keys.join(' ')} className="flex items-center justify-between gap-4">
            <dt>{textOf(action)}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
      <div className="border-t border-line pt-4">
        <SingleKeysSwitch />
      </div>
      <div className="flex justify-end">
        <Button onClick={closeOverlay}>{m.shortcuts_sheet_close()}</Button>
      </div>
    </DialogPopup>
  )
}
