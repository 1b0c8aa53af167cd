import { Fragment } from 'react'

/** In characters: a longer half of an email address also wraps before its dots. */
const longHalf = 20

/** The parts between which an address may wrap: before its @, or before the dots of a long half. */
const partsOf = (address: string) =>
  address.split(/(?=@)/).flatMap((half) => (half.length > longHalf ? half.split(/(?=\.)/) : [half]))

const Address = ({ text }: { text: string }) => (
  <span className="inline-block max-w-full">
    {partsOf(text).map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: equal parts keep their positions
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
)

/** A text with an email address or a host, which gets a separate line before it wraps. */
export function AddressText({ text }: { text: string }) {
  return text.split(/(\s+)/).map((word, index) =>
    /\S[@.]\S/.test(word) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a text never move
      <Address key={index} text={word} />
    ) : (
      word
    ),
  )
}
