import { StorefrontError } from '@storefront/client'
import { QueryClient } from '@tanstack/react-query'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The client of the shop retries what is worth it.
      retry: false,
      refetchOnWindowFocus: (query) => !(query.state.error instanceof StorefrontError),
    },
  },
})
