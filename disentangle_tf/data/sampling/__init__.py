"""What a training batch is drawn from: samplers of factors, and batches."""
