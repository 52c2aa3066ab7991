// <pcp-scope> in React's JSX: import "pcpscope/react" once, for its types.
import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { PcpScope, PcpScopeAttributes, PcpScopeEvents } from "./pcp-scope.js";

type Handlers = { [K in keyof PcpScopeEvents as `on${K}`]?: (event: PcpScopeEvents[K]) => void };

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "pcp-scope": Omit<DetailedHTMLProps<HTMLAttributes<PcpScope>, PcpScope>, keyof Handlers> & PcpScopeAttributes & Handlers;
    }
  }
}
