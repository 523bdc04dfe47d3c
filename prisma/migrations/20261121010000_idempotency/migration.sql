-- What the first request with an Idempotency-Key was answered, kept for 24 hours to answer its repeats.
-- A new table: nothing that exists is read, locked or rewritten.

-- CreateTable
CREATE TABLE "idempotency_records" (
    "id" BYTEA NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "outcome" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("id")
);

-- For the clean-up, which takes the oldest first.
-- CreateIndex
CREATE INDEX "idempotency_records_created_at_idx" ON "idempotency_records"("created_at");
