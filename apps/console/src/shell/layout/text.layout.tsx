import { Outlet } from '@tanstack/react-router'
import { CenteredLayout } from './centered.layout.tsx'

/** The layout of the legal texts. */
export const Page = () => (
  <CenteredLayout wide>
    <Outlet />
  </CenteredLayout>
)
