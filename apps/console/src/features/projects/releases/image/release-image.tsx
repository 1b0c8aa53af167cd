import { type ContainerImage, shortReference } from '@slipway/contract/container-images'
import { m } from '@slipway/phrases'
import { CopyValue } from '../../../../shell/page/copy-value.tsx'

/** The image of a release: shows the start of its digest, copies all of it. */
export const ReleaseImage = ({
  number,
  image: { reference },
}: {
  number: number
  image: ContainerImage
}) => (
  <p title={reference}>
    <CopyValue text={reference} label={m.release_image_copy({ number })}>
      <code className="font-mono text-xs sm:text-sm">{shortReference(reference)}</code>
    </CopyValue>
  </p>
)
