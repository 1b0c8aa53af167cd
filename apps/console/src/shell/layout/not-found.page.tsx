import { CenteredLayout } from './centered.layout.tsx'
import { PageNotFound } from './page-not-found.tsx'

/** The page for an unknown path, for guests. */
export const Page = () => (
  <CenteredLayout>
    <PageNotFound />
  </CenteredLayout>
)
