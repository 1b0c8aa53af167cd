import { m } from '@slipway/phrases'
import { useConnectionState } from '../../api/live-updates.ts'
import type { ConnectionState } from '../../api/socket.ts'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

const states: Record<ConnectionState, { look: string; text: () => string; label: () => string }> = {
  disconnected: {
    look: 'bg-disconnected',
    text: () => m.shell_disconnected(),
    label: () => m.connection_label_offline(),
  },
  connecting: {
    look: 'bg-connecting',
    text: () => m.shell_connecting(),
    label: () => m.connection_label_connecting(),
  },
  connected: {
    look: 'bg-connected',
    text: () => m.shell_connected(),
    label: () => m.connection_label_live(),
  },
}

/** The state of the live connection, as a color and as text; in a wide window with a label. */
export function ConnectionIndicator() {
  const state = states[useConnectionState()]
  const text = state.text()
  return (
    <>
      <Tooltip text={text}>
        <button
          type="button"
          className={classNames(buttonClass('quiet', true), 'cursor-default xl:px-2')}
        >
          <span className={classNames('size-2.5 rounded-full', state.look)} />
          <span aria-hidden className="hidden text-xs xl:inline">
            {state.label()}
          </span>
          <VisuallyHidden>{text}</VisuallyHidden>
        </button>
      </Tooltip>
      <span role="status" className="sr-only">
        {text}
      </span>
    </>
  )
}
