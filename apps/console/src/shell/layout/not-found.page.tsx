import { CenteredLayout } from './centered.layout.tsx'
import { PageNotFound } from './page-not-found.tsx'

/** Any address that is not in the route table, for a guest. */
export const Page = () => (
  <CenteredLayout>
    <PageNotFound />
  </CenteredLayout>
)
