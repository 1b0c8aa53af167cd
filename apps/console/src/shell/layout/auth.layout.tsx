import { Outlet } from '@tanstack/react-router'
import { CenteredLayout } from './centered.layout.tsx'

/** The layout of the auth pages. */
export const Page = () => (
  <CenteredLayout>
    <Outlet />
  </CenteredLayout>
)
