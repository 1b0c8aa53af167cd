import { Fragment } from 'react'

const loginCommand = 'slipway login'

/** A text about the command that logs a terminal in. */
export const WithLoginCommand = ({ text }: { text: (inputs: { command: string }) => string }) => (
  <>
    {text({ command: loginCommand })
      .split(loginCommand)
      .map((part, index) => (
        <Fragment key={part}>
          {index > 0 && <code>{loginCommand}</code>}
          {part}
        </Fragment>
      ))}
  </>
)
