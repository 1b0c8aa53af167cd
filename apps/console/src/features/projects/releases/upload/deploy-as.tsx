import type { UploadedRuntime } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { Alert } from '../../../../ui/alert.tsx'
import { Button } from '../../../../ui/button.tsx'

const texts: Record<UploadedRuntime, { like: () => string; deploy: () => string }> = {
  php: { like: m.release_like_php, deploy: m.release_deploy_as_php },
  node: { like: m.release_like_node, deploy: m.release_deploy_as_node },
  static: { like: m.release_like_static, deploy: m.release_deploy_as_static },
}

/** Says which runtime the files of the newest release look like, and offers to deploy them so. */
export const DeployAs = ({
  runtime,
  isChosen,
  onChoose,
}: {
  runtime: UploadedRuntime
  /**
   * The user has chosen the runtime, but must choose the files again: the page no longer has them.
   */
  isChosen: boolean
  onChoose: () => void
}) => (
  <Alert
    kind="info"
    actions={!isChosen && <Button onClick={onChoose}>{texts[runtime].deploy()}</Button>}
  >
    {texts[runtime].like()} {isChosen && m.release_choose_again()}
  </Alert>
)
