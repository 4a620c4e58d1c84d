import { ForgotPassword as ForgotPasswordFeature } from "~/features/account/password/forgot-password";
import type { BlockProps } from "../registry";

export default function ForgotPassword({ block }: BlockProps<"ForgotPassword">) {
  return <ForgotPasswordFeature texts={block} seed={block.id} />;
}
